package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

func runIn(args ...string) (status int, stdout string) {
	var out, errors bytes.Buffer
	status = run(args, &out, &errors)
	return status, out.String()
}

func write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestCreateAndVerify(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "a.txt"), "a")
	write(t, filepath.Join(root, "b.txt"), "b")
	if status, out := runIn("create", root); status != 0 || out != "2 files listed\n" {
		t.Fatalf("create: %d, %q", status, out)
	}
	if status, out := runIn("verify", root); status != 0 || out != "2 of 2 files as listed\n" {
		t.Errorf("verify: %d, %q", status, out)
	}
	write(t, filepath.Join(root, "b.txt"), "c")
	want := "changed  b.txt\n1 of 2 files as listed\n"
	if status, out := runIn("verify", root); status != 1 || out != want {
		t.Errorf("verify after a change: %d, %q", status, out)
	}
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{{}, {"create"}, {"burn", "."}, {"verify", ".", "."}, {"verify", "-x", "."}} {
		if status, _ := runIn(args...); status != 2 {
			t.Errorf("%v: status %d", args, status)
		}
	}
}

func TestNoManifest(t *testing.T) {
	if status, _ := runIn("verify", t.TempDir()); status != 2 {
		t.Errorf("status %d", status)
	}
}
