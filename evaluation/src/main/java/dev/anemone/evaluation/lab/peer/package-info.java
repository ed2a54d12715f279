/** Beam's other runners: their jars, and the options that serve them best. */
package dev.anemone.evaluation.lab.peer;
