module example.org/cratesum

go 1.19
