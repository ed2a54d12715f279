// SPDX-License-Identifier: Apache-2.0
/** How elements become bytes: on plain edges, and as the records of a keyed shuffle. */
package dev.anemone.beam.coder;
