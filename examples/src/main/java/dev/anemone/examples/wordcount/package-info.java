// SPDX-License-Identifier: Apache-2.0
/** Word count, and a generator of the text that it is measured on. */
package dev.anemone.examples.wordcount;
