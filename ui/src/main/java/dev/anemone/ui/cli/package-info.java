// SPDX-License-Identifier: Apache-2.0
/** The command {@code anemone ui}. */
package dev.anemone.ui.cli;
