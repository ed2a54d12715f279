// SPDX-License-Identifier: Apache-2.0
/** Crail's slides: what a pool of memory and flash does for a sort, group-bys, joins and broadcasts. */
package dev.anemone.evaluation.papers.crail;
