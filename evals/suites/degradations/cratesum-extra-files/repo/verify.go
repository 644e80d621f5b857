package cratesum

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
)

// A Report says how a folder differs from its manifest. Its lists are sorted.
type Report struct {
	Listed  int      // files in the manifest
	Missing []string // listed, but not there
	Changed []string // with another size or sum than listed
}

// OK says whether every listed file is as listed.
func (r *Report) OK() bool {
	return len(r.Missing) == 0 && len(r.Changed) == 0
}

// Verify compares the files in root with a manifest.
func Verify(root string, m Manifest) (*Report, error) {
	r := &Report{Listed: len(m)}
	for _, e := range m {
		same, err := isSame(root, e)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			r.Missing = append(r.Missing, e.Path)
		case err != nil:
			return nil, err
		case !same:
			r.Changed = append(r.Changed, e.Path)
		}
	}
	sort.Strings(r.Missing)
	sort.Strings(r.Changed)
	return r, nil
}

// isSame compares a file with its entry. A file of another size is not hashed.
func isSame(root string, e Entry) (bool, error) {
	name := filepath.Join(root, filepath.FromSlash(e.Path))
	info, err := os.Stat(name)
	if err != nil || info.Size() != e.Size {
		return false, err
	}
	sum, _, err := hashFile(name)
	return sum == e.Sum, err
}
