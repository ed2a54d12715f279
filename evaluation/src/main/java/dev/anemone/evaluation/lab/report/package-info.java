/** Figures for people, as tables, and for programs, as JSON. */
package dev.anemone.evaluation.lab.report;
