// SPDX-License-Identifier: Apache-2.0
/** Splits of files, and where the bytes of one come from. */
package dev.anemone.ndp.engine.split;
