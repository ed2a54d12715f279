// SPDX-License-Identifier: Apache-2.0
/** Collections that are kept for later pipelines. */
package dev.anemone.beam.persist;
