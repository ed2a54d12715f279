// SPDX-License-Identifier: Apache-2.0
/** Rows of a query, in the program that asked. */
package dev.anemone.shell.rows;
