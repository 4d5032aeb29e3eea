// Runs a program on a pseudo-terminal of its own and passes bytes both ways: what comes on standard input is typed, what
// the program shows goes to standard output. Lines on file descriptor 3, "COLUMNS ROWS", resize the terminal.
// Standard library only, so that it builds wherever Go is.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"unsafe"
)

type winsize struct{ rows, columns, x, y uint16 }

func ioctl(file *os.File, request uintptr, argument unsafe.Pointer) {
	if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, file.Fd(), request, uintptr(argument)); errno != 0 {
		fail(errno)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "pty:", err)
	os.Exit(125)
}

func open() (leader *os.File, follower *os.File) {
	leader, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		fail(err)
	}
	var unlocked int32
	ioctl(leader, syscall.TIOCSPTLCK, unsafe.Pointer(&unlocked))
	var number uint32
	ioctl(leader, syscall.TIOCGPTN, unsafe.Pointer(&number))
	follower, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		fail(err)
	}
	return leader, follower
}

func main() {
	runtime.LockOSThread() // the death signal below is sent when the thread that started the program ends
	leader, follower := open()
	resize := func(columns, rows uint16) {
		size := winsize{rows: rows, columns: columns}
		ioctl(leader, syscall.TIOCSWINSZ, unsafe.Pointer(&size))
	}
	resize(100, 40)
	go func() {
		lines := bufio.NewScanner(os.NewFile(3, "sizes"))
		for lines.Scan() {
			var columns, rows uint16
			if _, err := fmt.Sscan(lines.Text(), &columns, &rows); err == nil {
				resize(columns, rows)
			}
		}
	}()
	command := exec.Command(os.Args[1], os.Args[2:]...)
	command.Stdin, command.Stdout, command.Stderr = follower, follower, follower
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Pdeathsig: syscall.SIGKILL}
	if err := command.Start(); err != nil {
		fail(err)
	}
	follower.Close()
	go io.Copy(leader, os.Stdin)
	shown := make(chan struct{})
	go func() {
		io.Copy(os.Stdout, leader) // ends with an error once the program is gone: nobody is left to show anything
		close(shown)
	}()
	err := command.Wait()
	<-shown
	if exit, ok := err.(*exec.ExitError); ok {
		os.Exit(exit.ExitCode())
	}
}
