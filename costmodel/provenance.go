package costmodel

// Provenance says where a section's figures come from.
type Provenance struct {
	// Grade of the section's entries: Measured, Fitted or Estimated.
	Grade Grade `json:"grade"`
	// Source names the publication or the reasoning; it is never empty.
	Source string `json:"source"`
	// Method says how the figures were taken.
	Method string `json:"method,omitempty"`
	// Date says when, in the source's own words.
	Date string `json:"date,omitempty"`
}

// Sections holds the provenance of each section. A section that the table
// lacks has the zero value.
type Sections struct {
	Launch   Provenance `json:"launch,omitzero"`
	Rows     Provenance `json:"rows,omitzero"`
	Windows  Provenance `json:"windows,omitzero"`
	Context  Provenance `json:"context,omitzero"`
	Sampling Provenance `json:"sampling,omitzero"`
	Pass     Provenance `json:"pass,omitzero"`
	Chunk    Provenance `json:"chunk,omitzero"`
	Restore  Provenance `json:"restore,omitzero"`
	Heat     Provenance `json:"heat,omitzero"`
	Drafts   Provenance `json:"drafts,omitzero"`
}

// LaunchGrade is the grade of the section that prices a launch.
func (t *Table) LaunchGrade() Grade {
	if t.Windows != nil {
		return t.Provenance.Windows.Grade
	}
	return t.Provenance.Rows.Grade
}
