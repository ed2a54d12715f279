// SPDX-License-Identifier: Apache-2.0
/** The command line as a user has it: what the documents show, run by the launcher. */
package dev.anemone.examples.launcher;

