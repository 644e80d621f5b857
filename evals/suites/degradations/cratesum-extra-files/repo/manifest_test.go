package cratesum

import (
	"bytes"
	"strings"
	"testing"
)

func TestManifestRoundTrip(t *testing.T) {
	m := Manifest{
		{Path: "a b.txt", Size: 0, Sum: strings.Repeat("0", 64)},
		{Path: "c/d  e.txt", Size: 12, Sum: strings.Repeat("f", 64)},
	}
	var text bytes.Buffer
	if err := m.Write(&text); err != nil {
		t.Fatal(err)
	}
	crlf := strings.ReplaceAll(text.String(), "\n", "\r\n")
	for _, written := range []string{text.String(), crlf} {
		read, err := ReadManifest(strings.NewReader(written))
		if err != nil {
			t.Fatal(err)
		}
		wantEqual(t, "manifest", read, m)
	}
}

func TestReadManifestErrors(t *testing.T) {
	sum := strings.Repeat("0", 64)
	for text, want := range map[string]string{
		"abc  1  a":           "crate.manifest:1: expected",
		"\n" + sum + "  1":    "crate.manifest:2: expected",
		sum + "  many  a.txt": "crate.manifest:1: size",
		sum + " 1 single.txt": "crate.manifest:1: expected",
	} {
		_, err := ReadManifest(strings.NewReader(text))
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}
