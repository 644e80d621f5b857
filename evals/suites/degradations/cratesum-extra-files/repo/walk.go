package cratesum

import (
	"io/fs"
	"path/filepath"
)

// walkFiles calls fn with the path of every file that belongs to the crate in root. The
// order is that of filepath.WalkDir, which is not the order of the paths as strings.
func walkFiles(root string, fn func(path string) error) error {
	ignored, err := readIgnore(root)
	if err != nil {
		return err
	}
	return filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		path := filepath.ToSlash(rel)
		switch {
		case path == "." || path == ManifestName || path == IgnoreName:
			return nil
		case d.IsDir() && ignored.match(path, true):
			return fs.SkipDir
		case !d.Type().IsRegular() || ignored.match(path, false):
			return nil
		}
		return fn(path)
	})
}
