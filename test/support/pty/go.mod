module pty

go 1.24
