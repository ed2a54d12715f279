// SPDX-License-Identifier: Apache-2.0
/** Programs of a user, as the documents name them. */
package com.example;
