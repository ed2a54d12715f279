// SPDX-License-Identifier: Apache-2.0
/**
 * Lines of text as Java programs read them, made ready for an engine that reads some of them in
 * another way: each line is looked at, and those that both might take for different rows are
 * written anew.
 */
package dev.anemone.ndp.text;
