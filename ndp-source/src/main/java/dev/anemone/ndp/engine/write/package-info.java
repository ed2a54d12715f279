// SPDX-License-Identifier: Apache-2.0
/** Writes files out of batches. */
package dev.anemone.ndp.engine.write;
