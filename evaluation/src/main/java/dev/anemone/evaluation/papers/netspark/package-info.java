// SPDX-License-Identifier: Apache-2.0
/** Figures of NetSpark: the same jobs over different ways of shuffling. */
package dev.anemone.evaluation.papers.netspark;
