// SPDX-License-Identifier: Apache-2.0
/** The command {@code anemone jobs}: which jobs there are, and ending them. */
package dev.anemone.ui.jobs;
