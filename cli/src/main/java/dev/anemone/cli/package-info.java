/** The command line {@code bin/anemone}. */
package dev.anemone.cli;

