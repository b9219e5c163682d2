# Every target also works on another server: PG_CONFIG=/path/to/pg_config make test

SHELL := bash
.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help setup install demo test test-versions installcheck lint bench psql deb test-deb dist

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

setup: ## install what building needs, where it is missing
	@tools/setup

install: setup ## build the extension and install it into the server
	@tools/install

demo: install ## count a year of flights, exactly and with sketches, in a temporary cluster
	@demo/run

test: ## run every test; leaves the release build installed
	@tools/setup tests
	@tools/test

test-versions: ## run every test on every server that is here or can be fetched
	@tools/test-versions

installcheck: ## run the regression tests in the running server of PGHOST, PGPORT, PGUSER
	@tools/regress

lint: setup ## check formatting, warnings, documentation and scripts
	@tools/lint

bench: install ## run the benchmarks
	@if [[ -x bench/run ]]; then bench/run; else echo 'there are no benchmarks: bench/run is missing'; fi

psql: install ## open psql in a temporary cluster that holds the data of the demo
	@tools/psql

deb: setup ## build the package for Debian's server
	@tools/deb

test-deb: setup ## install the package into a new root; needs root and debootstrap
	@tools/test-deb

dist: ## make the archive for PGXN of what is committed
	@tools/dist
