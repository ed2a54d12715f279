/** The shuffle itself, sort, spill and merge, beside that of Tez. */
package dev.anemone.evaluation.model.kernel;
