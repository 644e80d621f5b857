package cratesum

import (
	"testing"
)

func TestCreate(t *testing.T) {
	root := writeTree(t, map[string]string{
		"notes/test.txt": "test",
		"notes.txt":      "",
		"cache/x.bin":    "x",
		"a.tmp":          "x",
		IgnoreName:       "# generated\n*.tmp\ncache/\n",
		ManifestName:     "old",
	})
	wantEqual(t, "manifest", mustCreate(t, root), Manifest{
		{
			Path: "notes.txt",
			Size: 0,
			Sum:  "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
		},
		{
			Path: "notes/test.txt",
			Size: 4,
			Sum:  "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
		},
	})
}

func TestCreateErrors(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"line break":  {"a\nb": ""},
		"bad pattern": {IgnoreName: "[a"},
	} {
		if _, err := Create(writeTree(t, files)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
