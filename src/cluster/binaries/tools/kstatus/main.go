// Computes the status of objects as Helm 4 and Flux do, with the library that both use. Each line of standard input is an
// object as JSON; the line of standard output in the same place says how kstatus reads it.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"github.com/fluxcd/cli-utils/pkg/kstatus/status"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// A stored object is at most 1.5 MiB, the limit of etcd.
const longestLine = 4 << 20

type reading struct {
	Status  status.Status `json:"status"`
	Message string        `json:"message"`
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, longestLine)
	out := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		result, err := read(lines.Bytes())
		if err == nil {
			err = out.Encode(result)
		}
		if err != nil {
			fail(err)
		}
	}
	if err := lines.Err(); err != nil {
		fail(err)
	}
}

func read(line []byte) (reading, error) {
	var object map[string]any
	// The decoder of apimachinery keeps whole numbers as int64, which kstatus expects.
	if err := utiljson.Unmarshal(line, &object); err != nil {
		return reading{}, err
	}
	result, err := status.Compute(&unstructured.Unstructured{Object: object})
	if err != nil {
		return reading{}, err
	}
	return reading{Status: result.Status, Message: result.Message}, nil
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
