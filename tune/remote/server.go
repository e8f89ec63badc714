package remote

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// Server is a NATS server with JetStream in this process.
type Server struct {
	Access
	server *server.Server
	folder string
}

// StartServer starts one at host:port; port 0 is any that is free. It asks
// for the token, which must not be "".
func StartServer(listen, token string) (*Server, error) {
	host, port, err := split(listen)
	if err != nil {
		return nil, err
	}
	// The server itself would not say why it cannot.
	probe, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(port)))
	if err != nil {
		return nil, err
	}
	_ = probe.Close()
	if port == 0 {
		port = server.RANDOM_PORT
	}
	folder, err := os.MkdirTemp("", "tfsim-nats-")
	if err != nil {
		return nil, err
	}
	s := &Server{folder: folder}
	s.server, err = server.NewServer(&server.Options{
		ServerName: "tfsim", Host: host, Port: port, Authorization: token,
		JetStream: true, StoreDir: folder, NoLog: true, NoSigs: true,
	})
	if err != nil {
		_ = os.RemoveAll(folder)
		return nil, err
	}
	s.server.Start()
	if !s.server.ReadyForConnections(10*time.Second) || !s.server.JetStreamEnabled() {
		s.Close()
		return nil, fmt.Errorf("%s: the NATS server does not start", listen)
	}
	addr, ok := s.server.Addr().(*net.TCPAddr)
	if !ok {
		s.Close()
		return nil, errors.New("the NATS server has no address")
	}
	s.Access = Access{URL: "nats://" + addr.String(), Token: token}
	return s, nil
}

// Close ends the server and forgets what it kept.
func (s *Server) Close() {
	s.server.Shutdown()
	s.server.WaitForShutdown()
	_ = os.RemoveAll(s.folder)
}

// Loopback says that only this machine reaches an address.
func Loopback(listen string) (bool, error) {
	host, _, err := split(listen)
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback(), err
}

// split reads host:port; without a host it is all of this machine's addresses.
func split(listen string) (host string, port int, err error) {
	host, text, err := net.SplitHostPort(listen)
	if err == nil {
		port, err = strconv.Atoi(text)
	}
	if err != nil || port < 0 || port > 65535 {
		return "", 0, fmt.Errorf("%q: want HOST:PORT, such as 127.0.0.1:4222", listen)
	}
	if host == "" {
		host = "0.0.0.0"
	}
	return host, port, nil
}
