/** What NemoRunner costs when a pipeline has nothing to do. */
package dev.anemone.evaluation.startup;
