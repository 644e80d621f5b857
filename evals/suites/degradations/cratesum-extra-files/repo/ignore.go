package cratesum

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// ignoreList is the patterns of a .crateignore file.
type ignoreList []string

// readIgnore reads the patterns of a folder. A folder without the file has none.
func readIgnore(root string) (ignoreList, error) {
	text, err := os.ReadFile(filepath.Join(root, IgnoreName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var list ignoreList
	for _, line := range strings.Split(string(text), "\n") {
		pattern := strings.TrimSpace(line)
		if pattern == "" || strings.HasPrefix(pattern, "#") {
			continue
		}
		if _, err := path.Match(pattern, ""); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", IgnoreName, pattern, err)
		}
		list = append(list, pattern)
	}
	return list, nil
}

// match says whether a pattern names a file, or a folder.
func (l ignoreList) match(name string, dir bool) bool {
	for _, pattern := range l {
		if strings.HasSuffix(pattern, "/") != dir {
			continue
		}
		pattern = strings.TrimSuffix(pattern, "/")
		for _, candidate := range []string{name, path.Base(name)} {
			// readIgnore has checked the pattern.
			if ok, _ := path.Match(pattern, candidate); ok {
				return true
			}
		}
	}
	return false
}
