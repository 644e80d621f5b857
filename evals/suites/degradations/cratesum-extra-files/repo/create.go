package cratesum

import (
	"fmt"
	"path/filepath"
	"sort"
	"strings"
)

// Create makes the manifest of a folder.
func Create(root string) (Manifest, error) {
	var m Manifest
	err := walkFiles(root, func(path string) error {
		if strings.ContainsAny(path, "\r\n") {
			return fmt.Errorf("line break in the name of a file: %q", path)
		}
		sum, size, err := hashFile(filepath.Join(root, filepath.FromSlash(path)))
		if err != nil {
			return err
		}
		m = append(m, Entry{Path: path, Size: size, Sum: sum})
		return nil
	})
	if err != nil {
		return nil, err
	}
	sort.Slice(m, func(i, j int) bool { return m[i].Path < m[j].Path })
	return m, nil
}
