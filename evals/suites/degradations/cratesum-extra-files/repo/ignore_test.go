package cratesum

import "testing"

func TestIgnoreMatch(t *testing.T) {
	list := ignoreList{"*.tmp", "cache/", "docs/draft.md"}
	for _, test := range []struct {
		path string
		dir  bool
		want bool
	}{
		{"a.tmp", false, true},
		{"deep/a.tmp", false, true},
		{"a.tmp", true, false},
		{"cache", true, true},
		{"deep/cache", true, true},
		{"cache", false, false},
		{"docs/draft.md", false, true},
		{"other/docs/draft.md", false, false},
	} {
		if got := list.match(test.path, test.dir); got != test.want {
			t.Errorf("%s, dir %v: got %v", test.path, test.dir, got)
		}
	}
}
