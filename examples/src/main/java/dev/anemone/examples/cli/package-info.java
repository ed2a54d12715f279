/** The examples as commands of {@code bin/anemone}. */
package dev.anemone.examples.cli;
