// Command cratesum writes and checks manifests of folders.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"example.org/cratesum"
)

const usage = `usage: cratesum create FOLDER
       cratesum verify FOLDER
`

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run returns the exit status.
func run(args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		fmt.Fprint(stderr, usage)
		return 2
	}
	flags := flag.NewFlagSet("cratesum "+args[0], flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() { fmt.Fprint(stderr, usage) }
	if err := flags.Parse(args[1:]); err != nil {
		return 2
	}
	if flags.NArg() != 1 {
		flags.Usage()
		return 2
	}

	var status int
	var err error
	switch args[0] {
	case "create":
		err = create(flags.Arg(0), stdout)
	case "verify":
		status, err = verify(flags.Arg(0), stdout)
	default:
		flags.Usage()
		return 2
	}
	if err != nil {
		fmt.Fprintln(stderr, "cratesum:", err)
		return 2
	}
	return status
}

func create(root string, stdout io.Writer) error {
	m, err := cratesum.Create(root)
	if err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(root, cratesum.ManifestName))
	if err != nil {
		return err
	}
	if err := m.Write(f); err != nil {
		f.Close()
		return err
	}
	fmt.Fprintf(stdout, "%d files listed\n", len(m))
	return f.Close()
}

func verify(root string, stdout io.Writer) (int, error) {
	f, err := os.Open(filepath.Join(root, cratesum.ManifestName))
	if err != nil {
		return 2, err
	}
	defer f.Close()
	m, err := cratesum.ReadManifest(f)
	if err != nil {
		return 2, err
	}
	report, err := cratesum.Verify(root, m)
	if err != nil {
		return 2, err
	}
	printPaths(stdout, "missing", report.Missing)
	printPaths(stdout, "changed", report.Changed)
	same := report.Listed - len(report.Missing) - len(report.Changed)
	fmt.Fprintf(stdout, "%d of %d files as listed\n", same, report.Listed)
	if !report.OK() {
		return 1, nil
	}
	return 0, nil
}

func printPaths(w io.Writer, label string, paths []string) {
	for _, path := range paths {
		fmt.Fprintf(w, "%s  %s\n", label, path)
	}
}
