// SPDX-License-Identifier: Apache-2.0
/** {@code anemone sql}: Beam SQL in a terminal, or of a script. */
package dev.anemone.shell;
