package cratesum

import (
	"os"
	"path/filepath"
	"testing"
)

func TestVerify(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(t *testing.T, root string)
		want   Report
	}{
		{
			name:   "nothing",
			change: func(*testing.T, string) {},
			want:   Report{Listed: 3},
		},
		{
			name:   "other text of the same size",
			change: func(t *testing.T, root string) { writeFile(t, root, "b/c.txt", "CCC") },
			want:   Report{Listed: 3, Changed: []string{"b/c.txt"}},
		},
		{
			name: "other size and missing",
			change: func(t *testing.T, root string) {
				writeFile(t, root, "a.txt", "longer")
				if err := os.RemoveAll(filepath.Join(root, "b")); err != nil {
					t.Fatal(err)
				}
			},
			want: Report{
				Listed:  3,
				Missing: []string{"b/c.txt", "b/d.txt"},
				Changed: []string{"a.txt"},
			},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := writeTree(t, map[string]string{"a.txt": "a", "b/c.txt": "ccc", "b/d.txt": "d"})
			m := mustCreate(t, root)
			test.change(t, root)
			report, err := Verify(root, m)
			if err != nil {
				t.Fatal(err)
			}
			wantEqual(t, "report", *report, test.want)
		})
	}
}
