/** TeraSort within bounds of memory. */
package dev.anemone.evaluation.compare.terasort;
