// SPDX-License-Identifier: Apache-2.0
/** The command line {@code bin/anemone}. */
package dev.anemone.cli;

