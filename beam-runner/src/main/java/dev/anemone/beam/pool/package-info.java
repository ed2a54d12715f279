// SPDX-License-Identifier: Apache-2.0
/** Files of pipelines in a pool of remote memory: the scheme {@code pool}. */
package dev.anemone.beam.pool;
