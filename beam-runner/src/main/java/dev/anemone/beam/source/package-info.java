/** Readers of the runner's sources. */
package dev.anemone.beam.source;
