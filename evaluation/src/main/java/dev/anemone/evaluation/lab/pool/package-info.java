// SPDX-License-Identifier: Apache-2.0
/** Servers of a pool of remote memory, as processes of their own. */
package dev.anemone.evaluation.lab.pool;
