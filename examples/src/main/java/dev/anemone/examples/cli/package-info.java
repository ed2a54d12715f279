// SPDX-License-Identifier: Apache-2.0
/** The examples as commands of {@code bin/anemone}. */
package dev.anemone.examples.cli;
