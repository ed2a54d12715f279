/** Generated texts, and answers that are compared. */
package dev.anemone.evaluation.lab.data;
