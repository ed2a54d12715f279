// SPDX-License-Identifier: Apache-2.0
/**
 * The figures of Lee's thesis on Apache Nemo: batched disk reads, and skew that is told by a sample
 * of the producers. Disks and links are charged for in place of the paper's machines.
 */
package dev.anemone.evaluation.papers.lee;
