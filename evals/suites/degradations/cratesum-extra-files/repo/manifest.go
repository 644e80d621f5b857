package cratesum

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// ReadManifest reads what Write has written.
func ReadManifest(r io.Reader) (Manifest, error) {
	var m Manifest
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSuffix(lines.Text(), "\r")
		if line == "" {
			continue
		}
		fields := strings.SplitN(line, "  ", 3)
		if len(fields) != 3 || len(fields[0]) != 64 {
			return nil, fmt.Errorf("%s:%d: expected sum, size and path", ManifestName, n)
		}
		size, err := strconv.ParseInt(fields[1], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: size: %w", ManifestName, n, err)
		}
		m = append(m, Entry{Path: fields[2], Size: size, Sum: fields[0]})
	}
	return m, lines.Err()
}

// Write writes a manifest, a line for each file.
func (m Manifest) Write(w io.Writer) error {
	for _, e := range m {
		if _, err := fmt.Fprintf(w, "%s  %d  %s\n", e.Sum, e.Size, e.Path); err != nil {
			return err
		}
	}
	return nil
}
