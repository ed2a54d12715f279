/** Measured experiments: the command line, and where its files lie. */
package dev.anemone.evaluation;
