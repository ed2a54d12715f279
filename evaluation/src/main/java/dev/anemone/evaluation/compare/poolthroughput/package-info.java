// SPDX-License-Identifier: Apache-2.0
/** How fast memory of another process is read and written, after Figure 4 of the DMO paper. */
package dev.anemone.evaluation.compare.poolthroughput;
