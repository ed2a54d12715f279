// SPDX-License-Identifier: Apache-2.0
/** How the disk reads of a shuffle grow with its tasks. */
package dev.anemone.evaluation.compare.diskreads;
