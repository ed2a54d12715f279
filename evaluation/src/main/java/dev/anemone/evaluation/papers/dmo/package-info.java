// SPDX-License-Identifier: Apache-2.0
/** Figures of DMO: jobs that shuffle and spill into a pool of memory, or into files. */
package dev.anemone.evaluation.papers.dmo;
