/** The command line of the experiments, evaluation/run. */
package dev.anemone.evaluation;
