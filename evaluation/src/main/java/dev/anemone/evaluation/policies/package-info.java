/** What experiments have in common that compare policies. */
package dev.anemone.evaluation.policies;
