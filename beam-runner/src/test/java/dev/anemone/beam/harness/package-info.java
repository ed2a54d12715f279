/** Runs operators of the runner in memory, on the real service provider interface. */
package dev.anemone.beam.harness;
